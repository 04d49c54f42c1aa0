import type { Reporter, TestModule } from 'vitest/node'

/** Prints the seed of the random tests and the totals of all projects after the test run. */
export default class Totals implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const totals = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') totals.passed++
        else if (state === 'failed') totals.failed++
        else totals.skipped++
      }
      // a file that fails to load has no tests, so the file itself counts as a failure
      if (module.errors().length > 0) totals.failed++
    }
    const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''
    process.stdout.write(`\nSeed of random tests: ${process.env.TEST_SEED} (TEST_SEED repeats it)\n`)
    process.stdout.write(`${totals.passed} passed, ${totals.failed} failed${skipped}\n`)
  }
}
