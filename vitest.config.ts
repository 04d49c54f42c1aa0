import { defineConfig } from 'vitest/config'

// Of all that tests draw at random, and the same in CI, where a failure has to be one of the change.
process.env.TEST_SEED ||= String(process.env.CI ? 1 : Math.trunc(Math.random() * 2 ** 31))

// Apart from vite.config.ts: tests need none of the pages' plugins.
const features = (database: 'pglite' | 'postgres') => ({
  extends: true as const,
  test: { name: database, include: ['tests/features/**/*.test.ts'], globalSetup: [`tests/setup/${database}.ts`] },
})

const browser = { testTimeout: 60_000, globalSetup: ['tests/setup/pglite.ts', 'tests/setup/browser.ts'] }

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    reporters: ['default', './tests/setup/totals.ts'],
    testTimeout: 30_000,
    // Of those that start a site, a browser and a community on a busy machine.
    hookTimeout: 120_000,
    // What is waited for comes later where all cores are busy; the default is one second.
    expect: { poll: { timeout: 10_000 } },
    // Two cores: more files at once only wait for each other.
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'unit', include: ['tests/unit/**/*.test.{ts,tsx}'] } },
      features('pglite'),
      features('postgres'),
      {
        extends: true,
        // A build takes both cores: it waits for the other projects.
        test: {
          name: 'build',
          include: ['tests/build/*.test.ts'],
          testTimeout: 300_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'icecast',
          include: ['tests/icecast/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          globalSetup: ['tests/setup/icecast.ts'],
        },
      },
      { extends: true, test: { ...browser, name: 'e2e', include: ['tests/e2e/*.test.ts'] } },
      {
        extends: true,
        // A browser that draws without a graphics card takes both cores.
        test: { ...browser, name: 'graphics', include: ['tests/e2e/graphics/*.test.ts'], fileParallelism: false },
      },
    ],
  },
})
