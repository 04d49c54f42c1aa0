import type { TestProject } from 'vitest/node'
import { findOrUnpack } from './debianPackages.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** path of nginx; null if it cannot be downloaded */
    nginx: string | null
  }
}

export default function setup(project: TestProject): void {
  const found = findNginx()
  if (!found) process.stderr.write('Skipping the tests of nginx as a cache: it cannot be found or downloaded\n')
  project.provide('nginx', found)
}

export const findNginx = () => findOrUnpack('nginx', 'usr/sbin/nginx')
