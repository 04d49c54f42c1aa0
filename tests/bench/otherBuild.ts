import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProgram } from './servers.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Returns the hash of a commit.
 * @throws Error if the repository does not have the commit
 */
export function findCommit(name: string): string {
  try {
    const options = { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' } as const
    return execFileSync('git', ['rev-parse', '--verify', '--end-of-options', `${name}^{commit}`], options).trim()
  } catch {
    throw new Error(`Unknown commit ${name}: give a hash, a branch or a tag that git log shows`)
  }
}

/**
 * Builds a commit with its own build script and the packages of its lock file.
 * @param folder is created
 * @throws Error with the end of the log if a step fails
 */
export async function buildCommit(commit: string, folder: string): Promise<void> {
  mkdirSync(folder)
  const archive = join(folder, 'commit.tar')
  execFileSync('git', ['archive', '--output', archive, commit], { cwd: ROOT })
  execFileSync('tar', ['-xf', archive, '-C', folder])
  const lockOf = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8')
  if (lockOf(folder) === lockOf(ROOT)) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  else await installPackages(folder)
  await runProgram(['server/build.mjs'], {}, folder)
}

async function installPackages(folder: string): Promise<void> {
  const { npm_execpath: npm } = process.env
  if (!npm) throw new Error('Cannot find npm. Start the benchmark with npm run bench')
  await runProgram([npm, 'ci', '--no-audit', '--no-fund'], { ...process.env, NODE_ENV: '' }, folder)
}
