import type { Reporter, TestModule } from 'vitest/node'

/** Ends the output with the seed of the random tests and the true sums of all projects. */
export default class Totals implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const sums = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') sums.passed++
        else if (state === 'failed') sums.failed++
        else sums.skipped++
      }
      // A file that cannot even be loaded has no tests, and is a failure all the same.
      if (module.errors().length > 0) sums.failed++
    }
    const skipped = sums.skipped > 0 ? `, ${sums.skipped} skipped` : ''
    process.stdout.write(`\nSeed of random tests: ${process.env.TEST_SEED} (TEST_SEED repeats it)\n`)
    process.stdout.write(`${sums.passed} passed, ${sums.failed} failed${skipped}\n`)
  }
}
