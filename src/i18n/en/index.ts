import account from './account.ts'
import admin from './admin.ts'
import archive from './archive.ts'
import auth from './auth.ts'
import board from './board.ts'
import branding from './branding.ts'
import image from './image.ts'
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
import ui from './ui.ts'

/** Where the specification gives a text, this is it. The other languages have the same keys. */
export default {
  account,
  admin,
  archive,
  auth,
  board,
  branding,
  image,
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
  ui,
}
