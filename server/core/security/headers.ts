/** Policy for user content: it cannot run scripts, load anything or be framed. */
export const SANDBOX = "default-src 'none'; frame-ancestors 'none'; sandbox"
/** Pages of other sites may read the response. */
export const READABLE = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }

export type Headers = Readonly<Record<string, string>>

/**
 * Headers that browsers ignore on scripts, styles, fonts and images. Built files are sent without them, because they would
 * be a large part of a small file. Workers need the policy.
 */
export const DOCUMENT_HEADERS = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'permissions-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-frame-options',
]

/** Browser features that no page uses. Browsers would log a warning for a name that they do not know. */
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
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
const ALLOWED = ['autoplay', 'clipboard-write', 'fullscreen']
const PERMISSIONS = [...DENIED.map((name) => `${name}=()`), ...ALLOWED.map((name) => `${name}=(self)`)].join(', ')

type PolicyOptions = { https: boolean; dev: boolean }

/**
 * Returns a function that creates the headers of every response, except those of built files (DOCUMENT_HEADERS). Other
 * sites cannot read responses; routes that other sites may read add CORS headers. The policy blocks inline styles and
 * scripts, except for hot reload on the development server.
 */
export function securityHeaders(
  options: PolicyOptions & {
    /** additional origins for audio; called for every response */
    mediaSources: () => string[]
  },
): () => Headers {
  let sources: string | undefined
  let headers: Headers = {}
  return () => {
    const current = options.mediaSources().join(' ')
    // Build the headers only after a change: building them for every response takes too much time.
    if (current !== sources) {
      sources = current
      headers = buildHeaders(options, current)
    }
    return headers
  }
}

function buildHeaders({ https, dev }: PolicyOptions, mediaSources: string): Headers {
  const own = dev ? "'self' 'unsafe-inline'" : "'self'"
  const policy = [
    "default-src 'none'",
    `script-src ${own}`,
    `style-src ${own}`,
    // Stylesheets use data: URLs for waveform masks. The preview of a chosen image uses a blob: URL.
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
    // For browsers that do not support frame-ancestors.
    'x-frame-options': 'DENY',
    // Omit includeSubDomains, because subdomains can belong to other services.
    ...(https && { 'strict-transport-security': 'max-age=31536000' }),
  }
}
