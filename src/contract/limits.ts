export const limitTexts = {
  post: 'Too many posts from your network.',
  thread: 'Too many new threads from your network.',
  upload: 'Too many uploads from your network.',
  paste: 'Too many pastes from your network.',
  captcha: 'Too many captchas from your network.',
  login: 'Too many logins from your network.',
  report: 'Too many reports from your network.',
  watch: 'Too many changes of watched threads from your network.',
} as const
export type LimitKind = keyof typeof limitTexts

export const siteLimitTexts: { readonly [kind in LimitKind]?: string } = {
  post: 'Too many posts on this site at the moment.',
  thread: 'Too many new threads on this site at the moment.',
  upload: 'Too many uploads to this site at the moment.',
  paste: 'Too many pastes on this site at the moment.',
  report: 'Too many reports on this site at the moment.',
  watch: 'Too many changes of watched threads on this site at the moment.',
}

export const storageTexts = {
  image: {
    network: 'Too many bytes of images from your network.',
    full: 'This site has no room for more images. Please try again later, or post without one.',
  },
  paste: {
    network: 'Too many bytes of pastes from your network.',
    full: 'This site has no room for more pastes. Please try again later.',
  },
} as const
export type StorageKind = keyof typeof storageTexts

export const TOO_MANY_ATTEMPTS = 'Too many attempts.'
export const TOO_MANY_REQUESTS = 'Too many requests from your network.'

export const withRetryTime = (text: string, seconds: number): string =>
  `${text} Please try again in ${seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`}.`
