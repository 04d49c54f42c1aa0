/** Headers that have the same value in all responses. */
const EVERYWHERE = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-content-type-options': 'nosniff',
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

/**
 * `files` are responses with uploaded content, `secret` are responses at capability URLs, and `form` responses of
 * pages whose form needs its origin.
 */
export type HeaderKind = 'plain' | 'files' | 'secret' | 'secret files' | 'form'

/** Returns a line for each wrong header of a response. */
export function findHeaderErrors(headers: Record<string, string>, kind: HeaderKind = 'plain', https = false): string[] {
  const policy = kind.endsWith('files') ? SANDBOX : https ? `${POLICY};upgrade-insecure-requests` : POLICY
  const expected: Record<string, string | undefined> = {
    ...EVERYWHERE,
    'content-security-policy': policy,
    'referrer-policy':
      kind === 'form' ? 'same-origin' : kind.startsWith('secret') ? 'no-referrer' : 'strict-origin-when-cross-origin',
    'strict-transport-security': https ? 'max-age=31536000' : undefined,
  }
  const permissions = headers['permissions-policy']?.split(', ') ?? []
  return [
    ...Object.entries(expected).flatMap(([name, value]) =>
      headers[name] === value ? [] : `${name}: ${headers[name]} and not ${value}`,
    ),
    ...PERMISSIONS.flatMap((one) => (permissions.includes(one) ? [] : `permissions-policy without ${one}`)),
    ...NEVER.flatMap((name) => (name in headers ? `${name}: ${headers[name]}` : [])),
  ]
}
