/* Text to the host: USART2 on PA2, as on ST's Nucleo and Discovery boards, 115200 baud (RM0090, chapters 7, 8 and 30).
 * */
#include <stdint.h>

#include "../board.h"
#include "../core.h"
#include "facts.h"

#define RCC_AHB1ENR CORE_REGISTER(0x40023830u)
#define RCC_AHB1ENR_GPIOA (1u << 0)
#define RCC_APB1ENR CORE_REGISTER(0x40023840u)
#define RCC_APB1ENR_USART2 (1u << 17)
#define GPIOA_MODER CORE_REGISTER(0x40020000u)
#define GPIOA_MODER_PIN2_MASK (3u << 4)
#define GPIOA_MODER_PIN2_ALTERNATE (2u << 4)
#define GPIOA_AFRL CORE_REGISTER(0x40020020u)
#define GPIOA_AFRL_PIN2_MASK (15u << 8)
#define GPIOA_AFRL_PIN2_USART2 (7u << 8)
#define USART2_SR CORE_REGISTER(0x40004400u)
#define USART_SR_TRANSMIT_EMPTY (1u << 7)
#define USART2_DR CORE_REGISTER(0x40004404u)
#define USART2_BRR CORE_REGISTER(0x40004408u)
#define USART2_CR1 CORE_REGISTER(0x4000440Cu)
#define USART_CR1_ENABLE (1u << 13 | 1u << 3)
#define BAUD 115200u

void board_init(void) {
    RCC_AHB1ENR |= RCC_AHB1ENR_GPIOA;
    RCC_APB1ENR |= RCC_APB1ENR_USART2;
    GPIOA_AFRL = (GPIOA_AFRL & ~GPIOA_AFRL_PIN2_MASK) | GPIOA_AFRL_PIN2_USART2;
    GPIOA_MODER = (GPIOA_MODER & ~GPIOA_MODER_PIN2_MASK) | GPIOA_MODER_PIN2_ALTERNATE;
    USART2_BRR = (BOARD_CORE_CLOCK + BAUD / 2u) / BAUD;
    USART2_CR1 = USART_CR1_ENABLE;
}

void board_put(char character) {
    while ((USART2_SR & USART_SR_TRANSMIT_EMPTY) == 0u) {
    }
    USART2_DR = (uint8_t)character;
}
