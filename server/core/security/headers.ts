/** What people gave us, whatever a browser may take it for: nothing runs in it, it loads nothing, nobody frames it. */
export const SANDBOX = "default-src 'none'; frame-ancestors 'none'; sandbox"

export type Headers = Readonly<Record<string, string>>

/** What no page of ours asks for; the rest is for this site alone. Only names that browsers know: others they report. */
const DENIED = [
  'accelerometer',
  'camera',
  'display-capture',
  'encrypted-media',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
const ALLOWED = ['autoplay', 'clipboard-write', 'fullscreen']
const PERMISSIONS = [...DENIED.map((name) => `${name}=()`), ...ALLOWED.map((name) => `${name}=(self)`)].join(', ')

/**
 * The headers every answer carries, as a function for what may change while the site runs. The policy allows no inline
 * script, style or evaluation; only the development server gets inline ones, for hot reload cannot do without. Other
 * sites are allowed nothing, so there is no header that would let them read answers.
 */
export function securityHeaders(options: {
  https: boolean
  dev: boolean
  /** servers sound may come from besides this one; asked for every answer */
  mediaSources: () => string[]
}): () => Headers {
  let sources: string | undefined
  let headers: Headers = {}
  return () => {
    const wanted = options.mediaSources().join(' ')
    // Written anew only when it changes: at tens of thousands of answers a second it is not free.
    if (wanted !== sources) {
      sources = wanted
      headers = write(options, wanted)
    }
    return headers
  }
}

function write({ https, dev }: { https: boolean; dev: boolean }, mediaSources: string): Headers {
  const own = dev ? "'self' 'unsafe-inline'" : "'self'"
  const policy = [
    "default-src 'none'",
    `script-src ${own}`,
    `style-src ${own}`,
    // Drawn waves are masks in data addresses; a chosen picture is previewed from a blob.
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${dev ? ' ws:' : ''}`,
    `media-src ${`'self' ${mediaSources}`.trim()}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(https ? ['upgrade-insecure-requests'] : []),
  ]
  return {
    'content-security-policy': policy.join(';'),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': PERMISSIONS,
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    // The same as frame-ancestors, for what does not know that.
    'x-frame-options': 'DENY',
    // This host alone: what else stands under the name is not ours to promise for.
    ...(https && { 'strict-transport-security': 'max-age=31536000' }),
  }
}
