import { relative } from 'node:path'

type Graph = { getModuleInfo: (id: string) => { importers: readonly string[]; importedIds: readonly string[] } | null }

/** Pages that most visitors see first. What they share is in the file that all pages load. */
const FIRST_PAGES = /^(?:index|dtpchan\/board\/@boardId\/(?:index|thread\/@threadId))$/
const THREAD = 'dtpchan/board/@boardId/thread/@threadId'
const MOST_PAGES = 21

const pathOf = (id: string) => relative(`${import.meta.dirname}/..`, id.split('?')[0] ?? id)
const isIn = (folders: RegExp) => (id: string) => folders.test(pathOf(id))
const isReact = isIn(/^node_modules\/(?:react|react-dom|scheduler|vike-react)\//)

/** Returns all modules that a module imports, or that import it, directly or not. Ignores imports on demand. */
function reach(id: string, next: (id: string) => readonly string[]): Set<string> {
  const reached = new Set([id])
  for (const one of reached) for (const other of next(one)) reached.add(other)
  return reached
}

/** Returns the pages that load a module at once. */
const pagesOf = (id: string, graph: Graph): string[] =>
  [...reach(id, (one) => graph.getModuleInfo(one)?.importers ?? [])].flatMap(
    (one) => /page-entry:client:\/pages\/(.+)/.exec(one)?.[1] ?? [],
  )

/**
 * Stylesheets by the paths of CSS modules. Every stylesheet blocks rendering, so most pages load only two: the site's,
 * then their feature's, whose rules win. Parts that load later have stylesheets of their own.
 */
const STYLESHEETS: [name: string, paths: RegExp][] = [
  ['visualiser', /^src\/player\/visualiser\//],
  ['sheet', /^src\/player\/bar\/(?:Sheet\w*|ChannelMeters)\./],
  ['shortcuts', /^src\/player\/ShortcutsDialog\./],
  ['tracklist', /^src\/ui\/Tracklist\./],
  ['prose', /^src\/features\/site\/Prose\./],
  ['admin', /^(?:src\/ui|src\/features|pages)\/admin\//],
  ['reading', /^src\/features\/board\/reading\//],
  ['writing', /^src\/features\/board\/writing\/(?:PostDialog|PostScreen)\./],
  ['watching', /^src\/features\/board\/watching\//],
  ['boards', /^src\/features\/board\/boards\/BoardRow\./],
  ['catalog', /^src\/features\/board\/lists\/(?:CatalogTiles|listScreens)\./],
  ['home', /^pages\/index\//],
  ['home', /^src\/features\/site\/(?:AboutScreen|ConnectPanel|Features|Hero|HomeLists|IrcFacts)\./],
  ['board', /^pages\/dtpchan\//],
  ['show', /^pages\/radio\//],
  ['account', /^src\/features\/auth\/Account\./],
]

/** Returns the stylesheet's name for a CSS module, or null for other modules. */
function stylesheetOf(id: string): string | null {
  const path = pathOf(id)
  if (!path.endsWith('.css')) return null
  const [listed] = STYLESHEETS.find(([, paths]) => paths.test(path)) ?? []
  const [, feature = 'site'] = /^src\/features\/(\w+)\//.exec(path) ?? []
  return listed ?? (feature === 'auth' ? 'site' : feature)
}

function scriptOf(id: string, graph: Graph): string | null {
  const path = pathOf(id)
  const pages = pagesOf(id, graph)
  const isOnFirstPage = pages.some((page) => FIRST_PAGES.test(page))
  if (/^node_modules\/lucide-react\//.test(path)) return isOnFirstPage || pages.length === 0 ? 'icons' : 'fields'
  if (/^src\/contract\//.test(path)) return 'shared'
  if (!/^(?:src|pages)\/.*\.tsx?$/.test(path)) return null
  // Pages without React Query must not load it with a shared file.
  const imported = reach(id, (one) => graph.getModuleInfo(one)?.importedIds ?? [])
  if ([...imported].some((one) => one.includes('/@tanstack/'))) return null
  if (pages.length > 0 && pages.every((page) => page.startsWith('dtpchan/'))) {
    return pages.includes(THREAD) ? 'posts' : pages.length > 1 ? 'lists' : null
  }
  const fewPages = path.startsWith('src/features/site/') ? MOST_PAGES : 2
  if (pages.length > fewPages && isOnFirstPage) return 'shared'
  const [, layer] = /^src\/(ui|lib)\/[^/]+$/.exec(path) ?? []
  return layer && pages.length > (layer === 'ui' ? 2 : 1) ? 'fields' : null
}

const group = (names: string[], priority: number, minShareCount: number) => ({
  name: (id: string, graph: Graph) => (names.includes(scriptOf(id, graph) ?? '') ? (names[0] as string) : null),
  priority,
  minShareCount,
})

export const groups = [
  { name: (id: string) => stylesheetOf(id) ?? (isReact(id) ? 'site' : null), priority: 8 },
  // Before React's group, which would take the router's modules along and make the router load React first.
  { name: 'router', test: isIn(/^node_modules\/(?:vike|@brillout)\/|preload-helper/), priority: 9 },
  { name: 'react-query', test: isIn(/^node_modules\/@tanstack\/|^src\/lib\/reactQuery\.ts$/), priority: 7 },
  group(['shared', 'icons'], 6, 3),
  group(['posts'], 5, 2),
  group(['lists'], 4, 2),
  // Home, About and the programs invite to the chat.
  {
    name: 'chat',
    test: isIn(/^src\/features\/site\/JoinChat\.|\/icons\/(?:code-xml|radio)\./),
    minShareCount: 2,
    priority: 3,
  },
  // Idle threads load it, and would load the parts of forms with it.
  { name: 'bell', test: isIn(/\/icons\/bell\./), minShareCount: 2, priority: 3 },
  group(['fields', 'icons'], 2, 2),
]
