import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
/** Not from the first letters: what begins with 'ad' some browsers hide. */
const FIRST_LETTERS = LETTERS.slice(LETTERS.indexOf('q'))
const NAME = /[A-Za-z_][\w-]*/g

/**
 * Names of the classes in CSS modules for a build: two letters for the file, then a number for the name in it. Nothing
 * else in a page is repeated so often. Client and server are built one after the other and have to agree, so a name
 * depends on nothing but the files there are and what stands in them.
 * @param folders where the modules are, below `root`
 */
export function shortClassNames(root: string, folders: string[]) {
  const files = folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter((file) => file.endsWith('.module.css'))
    .sort()
  const prefixes = new Map(files.map((file, at) => [file, twoLetters(at)]))

  return (name: string, filename: string, css: string): string => {
    const prefix = prefixes.get(relative(root, filename.split('?')[0] ?? ''))
    const at = [...new Set(css.match(NAME))].indexOf(name)
    // what is not found keeps its own name, which no other class of that file has
    return prefix && at >= 0 ? `${prefix}${at.toString(36)}` : `${prefix ?? 'x'}-${name}`
  }
}

const twoLetters = (at: number) => `${FIRST_LETTERS[Math.floor(at / LETTERS.length)]}${LETTERS[at % LETTERS.length]}`
