import type { TestProject } from 'vitest/node'
import { findOrUnpack } from './debianPackages.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** path of Caddy; null if it cannot be downloaded */
    caddy: string | null
  }
}

export default function setup(project: TestProject): void {
  const found = findOrUnpack('caddy', 'usr/bin/caddy')
  if (!found) process.stderr.write('Skipping the test of the Caddyfile: Caddy cannot be found or downloaded\n')
  project.provide('caddy', found)
}
