/* Registers of an Armv7-M core that the board code touches (Architecture Reference Manual, B3.2, C1.8), and its
 * handlers. */
#ifndef ARENA_BOARD_CORE_H
#define ARENA_BOARD_CORE_H

#include <stdint.h>

#define CORE_REGISTER(address) (*(volatile uint32_t *)(address))

#define CORE_SYST_CSR CORE_REGISTER(0xE000E010u)
#define CORE_SYST_RVR CORE_REGISTER(0xE000E014u)
#define CORE_SYST_CVR CORE_REGISTER(0xE000E018u)
#define CORE_SYST_CSR_RUN 7u /* processor clock, interrupt, enabled */

#define CORE_CCR CORE_REGISTER(0xE000ED14u)
#define CORE_CCR_DIV_0_TRAP (1u << 4)
#define CORE_SHCSR CORE_REGISTER(0xE000ED24u)
#define CORE_SHCSR_FAULTS (7u << 16) /* MemManage, BusFault, UsageFault */
#define CORE_CFSR CORE_REGISTER(0xE000ED28u)
#define CORE_CFSR_MMFAR_VALID (1u << 7)
#define CORE_CFSR_STACKING (1u << 4 | 1u << 12)
#define CORE_CFSR_BFAR_VALID (1u << 15)
#define CORE_MMFAR CORE_REGISTER(0xE000ED34u)
#define CORE_BFAR CORE_REGISTER(0xE000ED38u)
#define CORE_MPU_CTRL CORE_REGISTER(0xE000ED94u)
#define CORE_MPU_CTRL_ON 5u /* enabled; the default map where no region is */
#define CORE_MPU_RNR CORE_REGISTER(0xE000ED98u)
#define CORE_MPU_RBAR CORE_REGISTER(0xE000ED9Cu)
#define CORE_MPU_RASR CORE_REGISTER(0xE000EDA0u)
#define CORE_MPU_RASR_NO_ACCESS (1u << 28)                        /* nor execution */
#define CORE_MPU_RASR_READ_ONLY (6u << 24 | 1u << 17)             /* cacheable memory */
#define CORE_MPU_RASR_SIZE(log2_bytes) (((log2_bytes)-1u) << 1 | 1u) /* and enabled */
#define CORE_CPACR CORE_REGISTER(0xE000ED88u)
#define CORE_CPACR_FPU (0xFu << 20)

#define CORE_DHCSR CORE_REGISTER(0xE000EDF0u)
#define CORE_DHCSR_DEBUGGER 1u /* somebody listens to semihosting */
#define CORE_DEMCR CORE_REGISTER(0xE000EDFCu)
#define CORE_DEMCR_TRACE (1u << 24)
#define CORE_DWT_CTRL CORE_REGISTER(0xE0001000u)
#define CORE_DWT_CTRL_CYCLES 1u
#define CORE_DWT_CYCCNT CORE_REGISTER(0xE0001004u)
#define CORE_DWT_LAR CORE_REGISTER(0xE0001FB0u)
#define CORE_DWT_LAR_KEY 0xC5ACCE55u

void board_fault(void);
void board_tick(void);

#endif
