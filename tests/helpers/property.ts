import fc from 'fast-check'

/** Seed of this run, chosen by vitest.config.ts and printed at the end. */
export const seed = Number(process.env.TEST_SEED)
if (!Number.isSafeInteger(seed)) throw new Error('TEST_SEED must be a whole number')
fc.configureGlobal({ seed })

/** fast-check with the seed of the run; tests import it from here. */
export { fc }
