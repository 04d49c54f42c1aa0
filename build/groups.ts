/** Every page loads this code, and it rarely changes. */
const ROUTER = /\/node_modules\/(?:vike|@brillout)\/|preload-helper/
/**
 * Every page loads it, and evaluates it in a task of its own (`pages/+onCreateGlobalContext.client.ts`). Shares its file
 * with the class names of the site's styles.
 */
const REACT = /\/node_modules\/(?:react|react-dom|scheduler|vike-react)\//
/** Some pages need this code immediately; the others load it when they are idle. */
const REACT_QUERY = /\/node_modules\/@tanstack\/|\/lib\/reactQuery\.ts$/
/** Forms that check their fields before they send them. */
const ZOD = /\/node_modules\/zod\//
/** Only admins and moderators load this code and these styles. */
const ADMIN = /\/(?:src\/ui|src\/features|pages)\/admin\/|\/src\/lib\/privateQuery\.ts$/
/** Excludes code that loads later: forms, the event connection, and `overlayHistory` (with the first dialog). */
const APP_CODE =
  /\/(?:src|pages)\/(?!ui\/(?:overlayHistory|Field)\.|lib\/(?:events|throttle|privateQuery)\.|contract\/(?:text|links|\w+Forms)\.|ui\/admin|features\/admin|pages\/admin).*\.tsx?$|\/lucide-react\//
/** More than the pages of the admin area, which share code that no other page needs. */
const MOST_PAGES = 21
/**
 * Small modules, except those for forms. In separate files they would compress badly and need twenty requests per page.
 */
const SMALL_MODULES =
  /\/src\/ui\/(?!admin|overlayHistory|Dialog|DeleteDialog|PosterDialog|PosterChoices|Field|Select|Checkbox|SearchField|Progress\.|FilePicker|Chip|ReasonField|useIncomingFiles|useImagePreview|RefusalText|useDeletion|TimeRemaining|QrCode).*\.tsx?$|\/src\/lib\/(?:fitInside|pageQuery|useEvents)\.ts$|\/contract\/(?:board(?:Paths)?|feeds)\.ts$|\/pages\/(?:dataPage|headContext)\.tsx?$|\/lucide-react\/(?!.*\/(?:image-up|refresh-cw|shield-check)\.)/
const SOME_PAGES = 3
/** Dialogs and pages with a form need most of it. In separate files, each part would cost a name on every page. */
const FIELDS =
  /\/src\/ui\/(?:Field|Chip|ReasonField|Select|Checkbox|SearchField|Progress|Dialog|overlayHistory|FilePicker|useIncomingFiles|useImagePreview|RefusalText|useDeletion)\.tsx?$|\/src\/lib\/(?:draft|draftLimits|upload|imageFileError|refusal|useForm|useUrlFilter)\.ts$|\/contract\/(?:appealPaths|boardFormTexts|storableText)\.ts$|\/lucide-react\/.*\/(?:shapes|refresh-cw|messages-square)\.m?js$/
/** Pastes and shared images share most of it. */
const SHARING =
  /\/features\/paste\/(?:browserCrypto|sendPaste|QrDialog)\.tsx?$|\/contract\/(?:paste|pasteLanguages|image|expiry)\.ts$|\/src\/ui\/(?:ExpiryField|FeatureList|QrCode|ResultPanel|TimeRemaining)\.tsx?$|\/lucide-react\/.*\/(?:shield-exclamation-point|shield-check|qr-code|eye-off|flame|timer-off)\.m?js$|\/src\/lib\/(?:formatBytes|idempotencyKey|visitorOrigin)\.ts$/
/** The login page and the login dialog. */
const LOGIN = /\/features\/auth\/(?:useLogin|loginCalls|Login|SecondFactor).*\.tsx?$|\/contract\/auth\.ts$/
/** Home, About and the programs invite to the chat; Home shares `TickLevels` with the list of boards. */
const CHAT =
  /\/src\/features\/site\/(?:JoinChat|ircClients)\.tsx?$|\/src\/ui\/TickLevels\.tsx$|\/contract\/news\.ts$|\/code-xml\.m?js$/
/** Boards and threads share this code, except what loads later with dialogs and controls. */
const POSTS =
  /\/src\/ui\/(?:MemoizedList|FloatingButton)\.tsx$|\/lucide-react\/.*\/(?:corner-down-right|reply|arrow-up|link-2)\.m?js$|\/contract\/board\.ts$|\/features\/board\/(?!own|heldPosts\.|deletions|BoardDialog|BoardRules|Post(?:Dialog|Fields|Progress)\.|CaptchaField|usePost\.|useChosenImages|ChosenImages|useCaptcha|postFormTexts|PostScreen|HeldPostScreen|postFormTrail|postLocation|ThreadCard|FurtherPictures|useBoard\.|boardList|NewThreadsNotice|ReadingListeners|Preview|Quoted|quoteStores|listenForQuotes|threadImages|useEnlargedImages|ImageViewer|boardKeys|useBoardKeys|readerFilterStore|HiddenPost|HideButton|FiltersDialog|QuoteButton|selectedQuote|RichText|CodeBlock|LinkCards|ThreadWatching|Unpublished|useOwnStatuses|Watch(?!MenuSlot)|watchSt|watchAlerts|followThreads|useReadThread|useLastVisit|BoardHead).*\.tsx?$|\/src\/lib\/(?:textMarkup|autolinks|packedThread)\.ts$/

/** Boards share this code with catalogs and the page of all boards. Threads do not need it. */
const LISTS =
  /\/features\/board\/(?:BoardHead|ThreadCard|FurtherPictures|useBoard|boardList|NewThreadsNotice)\.tsx?$|\/contract\/threadCursor\.ts$/

/** The page loads these styles when the player's sheet opens. */
const SHEET = /\/player\/bar\/(?:Sheet|SheetFooter|SheetDetails|SheetTracks|SleepTimer|ChannelMeters|FavouriteButton)\./
/** Other lists of threads than boards; their class names would make every thread heavier. */
const CATALOG = /\/board\/(?:Catalog\w+|ArchiveScreen|OverboardScreen)\./
/** Threads load these styles when a reader opens a preview or an image. */
const READING = /\/board\/(?:Previews|ImageViewer|HiddenPost|FiltersDialog|QuoteButton)\./
/** The menu in the top bar loads these styles on all pages. */
const WATCHING = /\/board\/WatchMenu\./
/** Only Home and About use these styles. */
const HOME_OR_ABOUT =
  /\/site\/(?:AboutScreen|ConnectPanel|DayDial|Features|Hero|HomeSection|IrcFacts|LatestNews|LatestThreads|ServiceList)\./
const PAGES: Record<string, string> = { index: 'home', dtpchan: 'board', radio: 'show' }

/**
 * Returns the stylesheet's name for a CSS module, or null for other modules. Every stylesheet blocks rendering, so a
 * page loads only two: the site's, then its feature's, whose rules win.
 */
export function stylesheetOf(id: string): string | null {
  const path = id.split('?')[0] ?? id
  if (!path.endsWith('.css')) return null
  if (path.includes('/player/visualiser/')) return 'visualiser'
  if (SHEET.test(path)) return 'sheet'
  if (ADMIN.test(path)) return 'admin'
  if (READING.test(path)) return 'reading'
  if (path.includes('/ui/Tracklist.')) return 'tracklist'
  if (WATCHING.test(path)) return 'watching'
  if (CATALOG.test(path)) return 'catalog'
  if (path.includes('/player/ShortcutsDialog.')) return 'shortcuts'
  const [, page = ''] = /\/pages\/(\w+)\//.exec(path) ?? []
  if (PAGES[page]) return PAGES[page]
  const [, feature = 'site'] = /\/features\/(\w+)\//.exec(path) ?? []
  if (feature === 'site' && HOME_OR_ABOUT.test(path)) return 'home'
  if (path.includes('/auth/Account.')) return 'account'
  return feature === 'auth' ? 'site' : feature
}

export const groups = [
  { name: (id: string) => stylesheetOf(id) ?? (REACT.test(id) ? 'site' : null), priority: 3 },
  // Before React's group, which would take the router's modules along and make the router load React first.
  { name: 'router', test: ROUTER, priority: 4 },
  { name: 'react-query', test: REACT_QUERY, priority: 2 },
  { name: 'zod', test: ZOD, priority: 2 },
  { name: 'shared', test: APP_CODE, minShareCount: MOST_PAGES, priority: 1 },
  { name: 'elements', test: SMALL_MODULES, minShareCount: SOME_PAGES, priority: 0 },
  { name: 'posts', test: POSTS, minShareCount: 2, priority: 0 },
  { name: 'lists', test: LISTS, minShareCount: 2, priority: 0 },
  { name: 'fields', test: FIELDS, minShareCount: 2, priority: 0 },
  { name: 'login', test: LOGIN, minShareCount: 2, priority: 0 },
  { name: 'sharing', test: SHARING, minShareCount: 2, priority: 0 },
  { name: 'chat', test: CHAT, minShareCount: 2, priority: 0 },
]
