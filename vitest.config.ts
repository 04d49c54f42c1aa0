import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { isDeep } from './tests/helpers/depth.ts'
import { bundleChildren } from './tests/setup/bundleChildren.ts'

type ProjectConfig = NonNullable<TestProjectInlineConfiguration['test']>

bundleChildren()

// The seed of random tests is fixed in CI, so that a failure comes from the change.
process.env.TEST_SEED ||= String(process.env.CI ? 1 : Math.trunc(Math.random() * 2 ** 31))

const setup = (...names: string[]) => names.map((name) => `tests/setup/${name}.ts`)

// Separate from vite.config.ts, because tests do not need its plugins.
const project = (name: string, folders: string[], test: ProjectConfig = {}) => ({
  extends: true as const,
  test: { name, include: folders.map((folder) => `tests/${folder}/*.test.{ts,tsx}`), ...test },
})

/** Tests in folders named `deep` are slow. They run with `npm run test:deep` only. */
const withDeep = (...folders: string[]) => (isDeep ? folders.flatMap((folder) => [folder, `${folder}/deep`]) : folders)

/** Database of the tests with other subjects: sites start faster on PostgreSQL, and deep runs use the other one. */
const either = isDeep ? 'pglite' : 'postgres'

const browser: ProjectConfig = { globalSetup: setup(either, 'browser') }

/** A deep run has several files that start two browsers each. Vitest wants such projects in a group of their own. */
const oneAtATime: ProjectConfig = isDeep ? { fileParallelism: false, sequence: { groupOrder: 2 } } : {}

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic' } },
  resolve: {
    alias: [
      {
        find: /^.*\/(startWorker\.server|imageProgram)\.ts$/,
        replacement: fileURLToPath(new URL('tests/setup/bundledChildren.ts', import.meta.url)),
      },
    ],
  },
  test: {
    reporters: ['default', './tests/setup/totals.ts'],
    // No test is about these limits. They are long, because tests and hooks start sites and browsers on busy machines.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // The default of one second is too short on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    // Compiles the embedded database once, without optimising it: that would take longer than most tests use it.
    execArgv: ['--liftoff-only'],
    // Files of a project share processes: a new process takes 1.5 s of processor time to load the modules.
    isolate: false,
    experimental: { fsModuleCache: true },
    // More than CI's two cores, because tests often wait for processes and browsers.
    maxWorkers: 5,
    projects: [
      project('unit', withDeep('unit')),
      project('pglite', withDeep('database'), { globalSetup: setup('pglite') }),
      project('postgres', withDeep('database', 'features'), { globalSetup: setup('postgres', 'nginx') }),
      project('build', ['build'], { globalSetup: setup('caddy') }),
      project('icecast', ['icecast'], { globalSetup: setup(either, 'icecast') }),
      project('irc', ['irc'], { globalSetup: setup(either, 'irc') }),
      project('e2e', withDeep('e2e'), browser),
      project('engines', withDeep('engines'), { ...oneAtATime, globalSetup: setup(either, 'engines') }),
      // Software rendering uses both cores. Vitest runs a project after the others only if its files are isolated.
      project('graphics', ['e2e/graphics'], { ...browser, fileParallelism: false, isolate: true }),
    ],
  },
})
