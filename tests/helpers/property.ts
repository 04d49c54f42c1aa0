import fc from 'fast-check'

/** Seed of this test run. vitest.config.ts chooses it, and the reporter prints it at the end. */
export const seed = Number(process.env.TEST_SEED)
if (!Number.isSafeInteger(seed)) throw new Error('TEST_SEED must be a whole number')
fc.configureGlobal({ seed })

/** fast-check, configured with the seed. Tests import `fc` from here. */
export { fc }
