import fc from 'fast-check'

/** The seed of this run: vitest.config.ts chooses it, and the end of the output names it. */
export const seed = Number(process.env.TEST_SEED)
if (!Number.isSafeInteger(seed)) throw new Error('TEST_SEED must be a whole number')
fc.configureGlobal({ seed })

/** fast-check with the seed of the run: tests take it from here. */
export { fc }
