/** Policy for user content: it runs nothing, loads nothing and cannot be framed. */
export const SANDBOX = "default-src 'none'; frame-ancestors 'none'; sandbox"

export type Headers = Readonly<Record<string, string>>

/** Features that no page uses. Browsers log a warning for unknown names. */
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
 * Returns the headers of every response; no CORS headers, so other sites cannot read responses. The policy allows
 * no inline scripts or styles, except for the hot reload of the development server.
 */
export function securityHeaders(options: {
  https: boolean
  dev: boolean
  /** further origins of audio; called for every response */
  mediaSources: () => string[]
}): () => Headers {
  let sources: string | undefined
  let headers: Headers = {}
  return () => {
    const current = options.mediaSources().join(' ')
    // Building the headers costs too much for every response.
    if (current !== sources) {
      sources = current
      headers = buildHeaders(options, current)
    }
    return headers
  }
}

function buildHeaders({ https, dev }: { https: boolean; dev: boolean }, mediaSources: string): Headers {
  const own = dev ? "'self' 'unsafe-inline'" : "'self'"
  const policy = [
    "default-src 'none'",
    `script-src ${own}`,
    `style-src ${own}`,
    // data: for waveform masks in stylesheets, blob: for the preview of a chosen image.
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
    // For browsers without frame-ancestors.
    'x-frame-options': 'DENY',
    // Without includeSubDomains, because subdomains can belong to other services.
    ...(https && { 'strict-transport-security': 'max-age=31536000' }),
  }
}
