/** Headers that have the same value in all responses, built files included. */
const EVERYWHERE = { 'cross-origin-resource-policy': 'same-origin', 'x-content-type-options': 'nosniff' }
const DOCUMENT_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-frame-options': 'DENY',
}
const POLICY =
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data: blob:;font-src 'self';" +
  "connect-src 'self';media-src 'self';manifest-src 'self';worker-src 'self';base-uri 'none';form-action 'self';" +
  "frame-ancestors 'none'"
const SANDBOX = "default-src 'none'; frame-ancestors 'none'; sandbox"
const PERMISSIONS = ['camera=()', 'geolocation=()', 'microphone=()', 'usb=()', 'autoplay=(self)', 'fullscreen=(self)']
/** Forbidden headers: they reveal the server software, let other sites read responses, or set cookies. */
const NEVER = ['server', 'x-powered-by', 'via', 'access-control-allow-origin', 'set-cookie', 'x-aspnet-version']
const OPEN = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }
/** Browsers ignore these on scripts, styles and fonts. */
const NOT_IN_BUILT_FILES = [
  ...Object.keys(DOCUMENT_HEADERS),
  ...['content-security-policy', 'permissions-policy', 'referrer-policy', 'strict-transport-security'],
  'last-modified',
]

/**
 * `files` are responses with uploaded content, `secret` are responses at URLs that contain a capability or a token.
 * `embeddable` responses may be shown by pages of other sites. `built` are scripts, styles and fonts, which carry no
 * headers for documents. Pages of other sites may read `open` responses.
 */
export type HeaderKind =
  | 'plain'
  | 'built'
  | 'files'
  | 'embeddable files'
  | 'secret'
  | 'secret files'
  | 'open'
  | 'open files'
  | 'open secret'

/** Returns a line for each wrong header of a response. */
export function findHeaderErrors(headers: Record<string, string>, kind: HeaderKind = 'plain', https = false): string[] {
  if (kind === 'built') return findBuiltFileErrors(headers)
  const isOpen = kind.startsWith('open')
  const policy = kind.endsWith('files') ? SANDBOX : https ? `${POLICY};upgrade-insecure-requests` : POLICY
  const expected: Record<string, string | undefined> = {
    ...EVERYWHERE,
    ...DOCUMENT_HEADERS,
    'content-security-policy': policy,
    'referrer-policy': kind.includes('secret') ? 'same-origin' : 'strict-origin-when-cross-origin',
    'strict-transport-security': https ? 'max-age=31536000' : undefined,
    ...(kind.startsWith('embeddable') && { 'cross-origin-resource-policy': 'cross-origin' }),
    ...(isOpen && OPEN),
  }
  const permissions = headers['permissions-policy']?.split(', ') ?? []
  return [
    ...findDifferences(headers, expected),
    ...PERMISSIONS.flatMap((one) => (permissions.includes(one) ? [] : `permissions-policy without ${one}`)),
    ...findForbidden(headers, isOpen ? NEVER.filter((name) => !(name in OPEN)) : NEVER),
  ]
}

const findBuiltFileErrors = (headers: Record<string, string>) => [
  ...findDifferences(headers, EVERYWHERE),
  ...findForbidden(headers, [...NEVER, ...NOT_IN_BUILT_FILES]),
]

const findDifferences = (headers: Record<string, string>, expected: Record<string, string | undefined>) =>
  Object.entries(expected).flatMap(([name, value]) =>
    headers[name] === value ? [] : `${name}: ${headers[name]} and not ${value}`,
  )

const findForbidden = (headers: Record<string, string>, names: string[]) =>
  names.flatMap((name) => (name in headers ? `${name}: ${headers[name]}` : []))
