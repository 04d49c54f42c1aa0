/** Loaded by every page, and rarely changed. */
const FRAMEWORK = /\/node_modules\/(?:react|react-dom|scheduler|vike|vike-react|@brillout)\/|preload-helper/
/** Loaded with pages that use its hooks, else when a page is idle. */
const REACT_QUERY = /\/node_modules\/@tanstack\/|\/lib\/reactQuery\.ts$/
/** Without the first dialog's `overlayHistory`, forms, and the event connection, which loads when a page is idle. */
const APP_CODE =
  /\/(?:src|pages)\/(?!ui\/(?:overlayHistory|Field)\.|lib\/(?:events|throttle)\.).*\.tsx?$|\/lucide-react\//
const MOST_PAGES = 10
/** Small modules, without those of forms. As separate files they compress badly, and a page would request twenty. */
const SMALL_MODULES =
  /\/src\/ui\/(?!overlayHistory|Dialog|DeleteDialog|Field|Select|FilePicker|Copy|useCopy|Chip|TimeRemaining).*\.tsx?$|\/src\/lib\/(?:fitInside|pageQuery|useEvents)\.ts$|\/contract\/board(?:Paths)?\.ts$|\/pages\/dataPage\.tsx$|\/lucide-react\//
const SOME_PAGES = 3
/** Shared by boards and threads. */
const POSTS = /\/features\/board\/.*\.tsx?$|\/src\/lib\/(?:markup|autolinks|excerpt|packedThread)\.ts$/

/** Loaded when the player's sheet opens. */
const SHEET = /\/player\/bar\/(?:Sheet|SheetFooter|SheetDetails|SleepTimer|ChannelMeters)\./
/** Only on Home or About. */
const HOME_OR_ABOUT =
  /\/site\/(?:AboutScreen|ConnectPanel|DayDial|Features|Hero|HomeSection|IrcFacts|LatestNews|LatestThreads|ServiceList)\./
const PAGES: Record<string, string> = { index: 'home', dtpchan: 'board' }

/**
 * Returns the name of the stylesheet for a CSS module; null for other modules. A page loads two stylesheets, because
 * each one blocks rendering: the site's, then its feature's, whose rules win.
 */
export function stylesheetOf(id: string): string | null {
  const path = id.split('?')[0] ?? id
  if (!path.endsWith('.css')) return null
  if (path.includes('/player/visualiser/')) return 'visualiser'
  if (SHEET.test(path)) return 'sheet'
  const [, page = ''] = /\/pages\/(\w+)\//.exec(path) ?? []
  if (PAGES[page]) return PAGES[page]
  const [, feature = 'site'] = /\/features\/(\w+)\//.exec(path) ?? []
  if (feature === 'site' && HOME_OR_ABOUT.test(path)) return 'home'
  return feature === 'auth' ? 'site' : feature
}

export const groups = [
  { name: stylesheetOf, priority: 3 },
  { name: 'framework', test: FRAMEWORK, priority: 2 },
  { name: 'react-query', test: REACT_QUERY, priority: 2 },
  { name: 'shared', test: APP_CODE, minShareCount: MOST_PAGES, priority: 1 },
  { name: 'elements', test: SMALL_MODULES, minShareCount: SOME_PAGES, priority: 0 },
  { name: 'posts', test: POSTS, minShareCount: 2, priority: 0 },
]
