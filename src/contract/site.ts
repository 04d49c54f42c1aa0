import { z } from 'zod'
import { isWebLink } from './links.ts'

const name = z.string().trim().min(1).max(100)
const webLink = z.string().refine(isWebLink, 'must be an http or https address')
const line = (max: number) => z.string().trim().min(1).max(max)
const paragraphs = z.array(line(1000)).min(1).max(10)
const channel = z.string().regex(/^#[^\s,]+$/, 'must be a channel such as #main')

/** Texts and links of a community. Every field has a default, so a settings file contains only changed fields. */
export const siteSchema = z.object({
  name: name.default('DTP'),
  tagline: line(150).default('We take things apart and keep the radio on.'),
  description: line(500).default(
    'A tech and hacking community that lives on IRC. Talk in the channels, post on the board without an account, ' +
      'and listen along while you work.',
  ),
  about: z
    .object({
      story: paragraphs.default([
        'We are an IRC network first and a website second. People arrive with a crash they can’t explain or a board ' +
          'that won’t boot, and stay for the company, the radio, and whoever tells them why it broke.',
        'Everything else grew around those channels: a stream to listen to together, boards for whatever needs more ' +
          'than a line of chat, and small tools for the things we share every day.',
      ]),
      mission: paragraphs.default([
        'Take things apart to understand them, and share what we find: the source, the schematic, the dump.',
        'Answer the question that was asked, then the one behind it. Everyone was new once.',
        'Keep the place open. You need no account and no real name to read, listen or post.',
      ]),
    })
    .prefault({}),
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
          vhosts: channel.default('#vhosts'),
        })
        .prefault({}),
    })
    .prefault({}),
  chatUrl: webLink.default('https://chat.example.org/'),
  links: z
    .object({
      code: webLink.default('https://git.example.org/dtp'),
      microblog: webLink.default('https://social.example.org/@dtp'),
    })
    .prefault({}),
})
export type Site = z.infer<typeof siteSchema>

export type SiteFacts = Omit<Site, 'about'> & {
  /** URL for reports of abuse: `mailto:` or `https:` (setting ABUSE_CONTACT) */
  abuseContact: string | null
}

/** Returns the contact as people read it: an email address or a URL. */
export const contactLabel = (contact: string) => contact.replace(/^mailto:/, '')

export const defaultSite: Site = siteSchema.parse({})
