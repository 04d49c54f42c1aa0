import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { bundleDatabase } from './tests/setup/bundleDatabase.ts'

bundleDatabase()

// The seed of random tests is fixed in CI, so that a failure comes from the change.
process.env.TEST_SEED ||= String(process.env.CI ? 1 : Math.trunc(Math.random() * 2 ** 31))

/** Tests that do not depend on the kind of database. They run on PostgreSQL only, because it starts faster. */
const DATABASE_INDEPENDENT = [
  'atom',
  'azuracast-webhook',
  'bad-input-forms',
  'bad-input-paths',
  'batch',
  'board-lists',
  'branding',
  'bucket-backups',
  'bucket-failures',
  'bucket-recordings',
  'call-inputs',
  'captcha',
  'cdn',
  'compression',
  'cross-origin',
  'delete-token',
  'early-refusal',
  'event-limits',
  'file-stores',
  'fourchan-json',
  'headers',
  'image',
  'image-limits',
  'image-refused',
  'import-layouts',
  'import-sources',
  'kept-form-texts',
  'limits',
  'limits-counted',
  'limits-networks',
  'link-cards',
  'live-sources',
  'login-limits',
  'logs',
  'moderation-roles',
  'monitoring',
  'move-files',
  'news-command',
  'news-feeds',
  'news-images',
  'news-refresh',
  'openapi',
  'oversized-images',
  'page-cache',
  'paste-forms',
  'permissions',
  'post-code',
  'post-forms',
  'preview-images',
  'radio',
  'radio-players',
  'radio-stream',
  'radio-webhooks',
  'raid',
  'raid-attacks',
  'recordings',
  'request-cost',
  'robots',
  'second-factor',
  'site-images',
  'slow-clients',
  'slow-readers',
  'switches',
  'unknown-pages',
  'uploads',
].map((name) => `tests/features/${name}.test.ts`)

// Separate from vite.config.ts, because tests do not need its plugins.
const features = (database: 'pglite' | 'postgres') => ({
  extends: true as const,
  test: {
    name: database,
    include: ['tests/features/**/*.test.ts'],
    exclude: database === 'pglite' ? DATABASE_INDEPENDENT : [],
    globalSetup: [`tests/setup/${database}.ts`, ...(database === 'postgres' ? ['tests/setup/nginx.ts'] : [])],
  },
})

const browser = { testTimeout: 60_000, globalSetup: ['tests/setup/pglite.ts', 'tests/setup/browser.ts'] }

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic' } },
  resolve: {
    alias: [
      {
        find: './startWorker.server.ts',
        replacement: fileURLToPath(new URL('tests/setup/startWorker.ts', import.meta.url)),
      },
    ],
  },
  test: {
    reporters: ['default', './tests/setup/totals.ts'],
    testTimeout: 30_000,
    // Hooks start sites and browsers, possibly on a busy machine.
    hookTimeout: 120_000,
    // The default of one second is too short on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    // Compiles the embedded database once, without optimising it: that would take longer than most tests use it.
    execArgv: ['--liftoff-only'],
    // Files of a project share processes: a new process takes 1.5 s of processor time to load the modules.
    isolate: false,
    // Twice CI's cores, because tests often wait for processes and browsers.
    maxWorkers: 4,
    projects: [
      { extends: true, test: { name: 'unit', include: ['tests/unit/**/*.test.{ts,tsx}'] } },
      features('pglite'),
      features('postgres'),
      {
        extends: true,
        // A build uses both cores, so it runs after the other projects.
        test: {
          name: 'build',
          include: ['tests/build/*.test.ts'],
          testTimeout: 300_000,
          globalSetup: ['tests/setup/caddy.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'icecast',
          include: ['tests/icecast/**/*.test.ts'],
          testTimeout: 60_000,
          globalSetup: ['tests/setup/pglite.ts', 'tests/setup/icecast.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'irc',
          include: ['tests/irc/**/*.test.ts'],
          globalSetup: ['tests/setup/pglite.ts', 'tests/setup/irc.ts'],
        },
      },
      { extends: true, test: { ...browser, name: 'e2e', include: ['tests/e2e/*.test.ts'] } },
      {
        extends: true,
        // Software rendering uses both cores.
        test: {
          ...browser,
          name: 'graphics',
          include: ['tests/e2e/graphics/*.test.ts'],
          fileParallelism: false,
          // Vitest runs a project after the others only if its files are isolated.
          isolate: true,
        },
      },
    ],
  },
})
