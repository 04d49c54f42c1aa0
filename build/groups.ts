/** Stylesheets that come with a part of the player, not with its bar. */
const LATER = /\/player\/(?:visualiser\/|bar\/(?:Sheet|SheetFoot|SheetSide|SleepTimer|Meters)\.)/

/**
 * The file a module is built into; null where the bundler may choose. Of styles there are few files: each component's
 * few rules in one of their own would be a request that holds the page back. What every page shows stands in one, then
 * each feature in its own, so that a page asks for two.
 */
export function groupOf(id: string): string | null {
  const path = id.split('?')[0] ?? id
  if (!path.endsWith('.css')) return null
  if (LATER.test(path)) return path.includes('/visualiser/') ? 'visualiser' : 'sheet'
  const feature = /\/features\/(\w+)\//.exec(path)?.[1]
  if (!feature || feature === 'auth') return /\/pages\/index\//.test(path) ? 'home' : 'site'
  return feature === 'site' && AT_HOME.test(path) ? 'home' : feature
}

/** What of the site's own stylesheets stands on Home or About alone. */
const AT_HOME =
  /\/site\/(?:AboutScreen|ConnectPanel|DayDial|Features|Hero|HomeSection|IrcFacts|LatestNews|LatestThreads|OnAir|ServiceList)\./
