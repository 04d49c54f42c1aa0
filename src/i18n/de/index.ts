import type { Catalogue } from '#src/i18n/types.ts'
import account from './account.ts'
import admin from './admin.ts'
import archive from './archive.ts'
import auth from './auth.ts'
import board from './board.ts'
import branding from './branding.ts'
import defaults from './defaults.ts'
import failure from './failure.ts'
import feed from './feed.ts'
import field from './field.ts'
import image from './image.ts'
import limit from './limit.ts'
import moderation from './moderation.ts'
import news from './news.ts'
import password from './password.ts'
import paste from './paste.ts'
import player from './player.ts'
import program from './program.ts'
import radio from './radio.ts'
import search from './search.ts'
import show from './show.ts'
import site from './site.ts'
import streamer from './streamer.ts'
import switches from './switch.ts'
import time from './time.ts'
import ui from './ui.ts'

export default {
  account,
  admin,
  archive,
  auth,
  board,
  branding,
  defaults,
  failure,
  feed,
  field,
  image,
  limit,
  moderation,
  news,
  password,
  paste,
  player,
  program,
  radio,
  search,
  show,
  site,
  streamer,
  switch: switches,
  time,
  ui,
} satisfies Catalogue
