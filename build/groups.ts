/** What runs on every page and changes seldom. */
const FRAMEWORK = /\/node_modules\/(?:react|react-dom|scheduler|vike|vike-react|@brillout)\/|preload-helper/
/** React Query: pages that hold its hooks load it, and others when they are idle. */
const REACT_QUERY = /\/node_modules\/@tanstack\/|\/lib\/reactQuery\.ts$/
/** Matches our own modules, of which those that most pages share get one chunk; the first dialog loads `layers`. */
const OURS = /\/(?:src|pages)\/(?!ui\/layers\.).*\.tsx?$|\/lucide-react\//
const MOST_PAGES = 10
/** Small modules, without those of forms: as files of their own they compress badly, and a page would ask for twenty. */
const ELEMENTS =
  /\/src\/ui\/(?!layers|Dialog|ConfirmDialog|Field|Select|FilePicker|Copy|useCopy).*\.tsx?$|\/src\/lib\/(?:fit|live|pageQuery|throttle)\.ts$|\/contract\/board(?:Paths)?\.ts$|\/pages\/loaded\.tsx$|\/lucide-react\//
const SOME_PAGES = 3
/** What a board and a thread share. */
const POSTS = /\/features\/board\/.*\.tsx?$|\/src\/lib\/(?:markup|address|excerpt|packedThread)\.ts$/

/** Stylesheets of the player that do not come with its bar. */
const SHEET = /\/player\/bar\/(?:Sheet|SheetFooter|SheetDetails|SleepTimer|ChannelMeters)\./
/** Of the site's own those that stand on Home or About alone. */
const AT_HOME =
  /\/site\/(?:AboutScreen|ConnectPanel|DayDial|Features|Hero|HomeSection|IrcFacts|LatestNews|LatestThreads|OnAir|ServiceList)\./
const PAGES: Record<string, string> = { index: 'home', dtpchan: 'board' }

/**
 * Name of the stylesheet a module's rules go into; null for what is no stylesheet. There are few: each component's few
 * rules in a file of their own would be a request that holds the page back. What every page shows stands in one, then
 * each feature in its own, so that a page asks for two. Rules that win by their order alone are in the later of the two.
 */
export function stylesheetOf(id: string): string | null {
  const path = id.split('?')[0] ?? id
  if (!path.endsWith('.css')) return null
  if (path.includes('/player/visualiser/')) return 'visualiser'
  if (SHEET.test(path)) return 'sheet'
  const [, page = ''] = /\/pages\/(\w+)\//.exec(path) ?? []
  if (PAGES[page]) return PAGES[page]
  const [, feature = 'site'] = /\/features\/(\w+)\//.exec(path) ?? []
  if (feature === 'site' && AT_HOME.test(path)) return 'home'
  return feature === 'auth' ? 'site' : feature
}

/** Files a build is made of, besides those the bundler chooses. */
export const groups = [
  { name: stylesheetOf, priority: 3 },
  { name: 'framework', test: FRAMEWORK, priority: 2 },
  { name: 'react-query', test: REACT_QUERY, priority: 2 },
  { name: 'shared', test: OURS, minShareCount: MOST_PAGES, priority: 1 },
  { name: 'elements', test: ELEMENTS, minShareCount: SOME_PAGES, priority: 0 },
  { name: 'posts', test: POSTS, minShareCount: 2, priority: 0 },
]
