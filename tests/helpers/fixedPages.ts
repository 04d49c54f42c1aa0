import { readdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Paths and folders of all pages whose URL has no parameter, without the admin area and the pages of errors. */
export function listFixedPages(): { path: string; folder: string }[] {
  const root = resolve('pages')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const folders = files.filter((file) => /(?:^|\/)\+Page\.tsx?$/.test(file)).map(dirname)
  return folders
    .filter((folder) => !/@|^(?:admin|_error|unknown|site-page)(?:\/|$)/.test(folder))
    .map((folder) => ({ path: `/${folder.replace(/(?:^|\/)index$/, '')}`, folder: resolve(root, folder) }))
    .toSorted((a, b) => a.path.localeCompare(b.path))
}
