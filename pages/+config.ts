import type { Config } from 'vike/types'
import vikeReact from 'vike-react/config'

export default {
  extends: [vikeReact],
  description:
    'A tech and hacking community on IRC: anonymous imageboard, radio, encrypted pastes, image sharing and recommended programs.',
  lang: 'en',
  // a whole page is stored finished and needs no inline script
  stream: false,
  passToClient: ['site'],
} satisfies Config
