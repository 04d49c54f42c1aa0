/** Whether this run includes the slow tests (`npm run test:deep`). */
export const isDeep = process.env.TEST_DEPTH === 'deep'

/** Returns every tenth case, or all cases in a deep run. */
export const someOf = <Case>(cases: readonly Case[]): Case[] => cases.filter((_, index) => isDeep || index % 10 === 0)

/** Returns how many random inputs to try: at most 100, or `deep` in a deep run. */
export const runs = (deep: number): number => (isDeep ? deep : Math.min(deep, 100))
