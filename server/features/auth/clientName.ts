/** Order matters: Edge and Opera also name Chrome, and Chrome also names Safari. */
const BROWSERS = [
  [/EdgA?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const SYSTEMS = [
  [/\bAndroid\b/, 'Android'],
  [/\biP(hone|ad|od)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const

const nameOf = (names: typeof BROWSERS | typeof SYSTEMS, userAgent: string) =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1]

/** Names the browser and system for the list of sessions: `Firefox on Linux`. Returns an empty text if unknown. */
export function clientName(userAgent: string): string {
  const browser = nameOf(BROWSERS, userAgent)
  const system = nameOf(SYSTEMS, userAgent)
  return [browser, system].filter(Boolean).join(' on ')
}
