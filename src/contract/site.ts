import { z } from 'zod'
import { languages } from './languages.ts'
import { isWebLink } from './links.ts'

const name = z.string().trim().min(1).max(100)
const webLink = z.string().refine(isWebLink, 'must be an http or https address')
const line = (max: number) => z.string().trim().min(1).max(max)
const paragraphs = z.array(line(1000)).min(1).max(10)
const contact = z
  .union([z.email(), z.url({ protocol: /^https$/ })], 'must be an email address or a URL that begins with https://')
  .transform((value) => (value.includes('://') ? value : `mailto:${value}`))
const channel = z.string().regex(/^#[^\s,]+$/, 'must be a channel such as #main')

const MAX_FOOTER_LINKS = 10
const THEMES = ['system', 'dark', 'light'] as const
export const DEFAULT_ACCENT = '#8b58fc'

/** Texts, links and looks of a community. Every field has a default, so a site file contains only changed fields. */
export const siteSchema = z.strictObject({
  /** editors find the JSON Schema here */
  $schema: z.string().optional(),
  name: name.default('DTP'),
  boardsName: name.default('DTPChan').describe('name of the imageboard'),
  blogName: name.default('Debauched Blog'),
  tagline: line(150).default('We take things apart and keep the radio on.'),
  description: line(500).default(
    'A tech and hacking community that lives on IRC. Talk in the channels, post on the board without an account, ' +
      'and listen along while you work.',
  ),
  about: z
    .strictObject({
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
    .strictObject({
      host: name.default('irc.example.org'),
      port: z.int().min(1).max(65_535).default(1337),
      channels: z
        .strictObject({
          main: channel.default('#main'),
          radio: channel.default('#radio'),
          gaming: channel.default('#gaming'),
          news: channel.default('#news'),
          vhosts: channel.default('#vhosts'),
        })
        .prefault({}),
    })
    .prefault({}),
  chatUrl: webLink.nullable().default('https://chat.example.org/').describe('null hides the links to the web chat'),
  links: z
    .strictObject({
      code: webLink.nullable().default('https://git.example.org/dtp').describe('null hides the link'),
      microblog: webLink.nullable().default('https://social.example.org/@dtp').describe('null hides the link'),
    })
    .prefault({}),
  footerLinks: z
    .array(z.strictObject({ label: name, url: webLink }))
    .max(MAX_FOOTER_LINKS)
    .default([]),
  radio: z
    .strictObject({
      name: name.default('Radio').describe('name of the built-in station'),
      description: line(200).default('The music of this site'),
    })
    .prefault({}),
  language: z
    .enum(['auto', ...languages])
    .default('auto')
    .describe('language of the pages; auto: the one that the visitor’s browser prefers'),
  theme: z.enum(THEMES).default('system').describe('theme of visitors who have not chosen one'),
  accent: z
    .string()
    .regex(/^#[\da-f]{6}$/i, `must be a colour such as ${DEFAULT_ACCENT}`)
    .default(DEFAULT_ACCENT)
    .describe('other shades are derived from it'),
  postingRules: line(1000).nullable().default(null).describe('shown above the forms for threads and comments'),
  abuseContact: contact.nullable().default(null).describe('email address or https URL; ABUSE_CONTACT overrides it'),
})
export type Site = z.infer<typeof siteSchema>

/** The facts that browsers get. */
export type SiteFacts = Omit<Site, '$schema' | 'about' | 'accent'> & {
  /** the operator's own pages */
  pages: { slug: string; title: string }[]
}

/** Returns the contact as people read it: an email address or a URL. */
export const contactLabel = (contact: string) => contact.replace(/^mailto:/, '')

export const defaultSite: Site = siteSchema.parse({})
