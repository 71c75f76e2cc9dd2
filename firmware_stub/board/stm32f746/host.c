/* Text to the host: USART1 on PA9, the virtual port of ST's Discovery board, 115200 baud (RM0385, chapters 5, 6 and
 * 31). */
#include <stdint.h>

#include "../board.h"
#include "../core.h"
#include "facts.h"

#define RCC_AHB1ENR CORE_REGISTER(0x40023830u)
#define RCC_AHB1ENR_GPIOA (1u << 0)
#define RCC_APB2ENR CORE_REGISTER(0x40023844u)
#define RCC_APB2ENR_USART1 (1u << 4)
#define GPIOA_MODER CORE_REGISTER(0x40020000u)
#define GPIOA_MODER_PIN9_MASK (3u << 18)
#define GPIOA_MODER_PIN9_ALTERNATE (2u << 18)
#define GPIOA_AFRH CORE_REGISTER(0x40020024u)
#define GPIOA_AFRH_PIN9_MASK (15u << 4)
#define GPIOA_AFRH_PIN9_USART1 (7u << 4)
#define USART1_CR1 CORE_REGISTER(0x40011000u)
#define USART_CR1_ENABLE (1u << 3 | 1u << 0)
#define USART1_BRR CORE_REGISTER(0x4001100Cu)
#define USART1_ISR CORE_REGISTER(0x4001101Cu)
#define USART_ISR_TRANSMIT_EMPTY (1u << 7)
#define USART1_TDR CORE_REGISTER(0x40011028u)
#define BAUD 115200u

void board_init(void) {
    RCC_AHB1ENR |= RCC_AHB1ENR_GPIOA;
    RCC_APB2ENR |= RCC_APB2ENR_USART1;
    GPIOA_AFRH = (GPIOA_AFRH & ~GPIOA_AFRH_PIN9_MASK) | GPIOA_AFRH_PIN9_USART1;
    GPIOA_MODER = (GPIOA_MODER & ~GPIOA_MODER_PIN9_MASK) | GPIOA_MODER_PIN9_ALTERNATE;
    USART1_BRR = (BOARD_CORE_CLOCK + BAUD / 2u) / BAUD;
    USART1_CR1 = USART_CR1_ENABLE;
}

void board_put(char character) {
    while ((USART1_ISR & USART_ISR_TRANSMIT_EMPTY) == 0u) {
    }
    USART1_TDR = (uint8_t)character;
}
