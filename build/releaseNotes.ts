// Prints the section of CHANGELOG.md for a release, on Node 24: node build/releaseNotes.ts v1.2.3
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = join(import.meta.dirname, '..')
/** Versions of https://semver.org, without build metadata, which a tag of an image cannot have. */
const SEMVER = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/

/**
 * Returns the notes of a release.
 * @param tag `v` and the version of package.json
 * @throws Error if the tag is wrong, or if the changelog has no part "Upgrading" for the version
 */
export function releaseNotes(tag: string | undefined, version: string, changelog: string): string {
  if (!SEMVER.test(version)) throw new Error(`package.json has no semantic version: ${version}`)
  if (tag !== `v${version}`) throw new Error(`The tag ${tag} is not v${version}, the version of package.json`)
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.startsWith(`[${version}] - `))
  if (!section) throw new Error(`CHANGELOG.md has no section [${version}] with a date`)
  const notes = section.slice(section.indexOf('\n')).trim()
  if (!/^### Upgrading$/m.test(notes)) throw new Error(`CHANGELOG.md has no part "Upgrading" for ${version}`)
  return `${notes}\n`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    process.stdout.write(releaseNotes(process.argv[2], version, readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')))
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(1)
  }
}
