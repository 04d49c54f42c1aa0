/** What every answer says, but for the policy, which is another one where an answer is not ours to vouch for. */
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
/** Headers that tell about the server, or let other sites read. */
const NEVER = ['server', 'x-powered-by', 'via', 'access-control-allow-origin', 'set-cookie', 'x-aspnet-version']

/** `files`: what people gave us; `secret`: behind an address that is told to nobody. */
export type HeaderKind = 'plain' | 'files' | 'secret' | 'secret files'

/** What is wrong with an answer's headers, a line for each; nothing when all is right. */
export function wrongHeaders(headers: Record<string, string>, kind: HeaderKind = 'plain', https = false): string[] {
  const policy = kind.endsWith('files') ? SANDBOX : https ? `${POLICY};upgrade-insecure-requests` : POLICY
  const expected: Record<string, string | undefined> = {
    ...EVERYWHERE,
    'content-security-policy': policy,
    'referrer-policy': kind.startsWith('secret') ? 'no-referrer' : 'strict-origin-when-cross-origin',
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
