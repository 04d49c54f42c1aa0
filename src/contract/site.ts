import { z } from 'zod'
import { isWebLink } from './links.ts'

const name = z.string().trim().min(1).max(100)
const webLink = z.string().refine(isWebLink, 'must be an http or https address')
const channel = z.string().regex(/^#[^\s,]+$/, 'must be a channel such as #main')

/** What a community says about itself; all of it has a default, so a settings file names only what differs. */
export const siteSchema = z.object({
  name: name.default('DTP'),
  irc: z
    .object({
      host: name.default('irc.example.org'),
      port: z.int().min(1).max(65_535).default(1337),
      channels: z
        .object({
          main: channel.default('#main'),
          radio: channel.default('#radio'),
          gaming: channel.default('#gaming'),
          news: channel.default('#news'),
        })
        .prefault({}),
    })
    .prefault({}),
  /** the web chat, opened in a new tab */
  chatUrl: webLink.default('https://chat.example.org/'),
  links: z
    .object({
      code: webLink.default('https://git.example.org/dtp'),
      microblog: webLink.default('https://social.example.org/@dtp'),
    })
    .prefault({}),
})
export type Site = z.infer<typeof siteSchema>

/** The settings of a site that has no file of its own. */
export const defaultSite: Site = siteSchema.parse({})
