// Draws the icons in public/ from the site's mark. Run it after changing the mark: node build/icons.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

const PUBLIC = join(import.meta.dirname, '../public')
const BACKGROUND = '#0d0d12'
/** The mark has 16 units, so its edges are sharp at every multiple of 16 px. */
const UNITS = 16
/** Launchers cut maskable icons to a circle whose diameter is 80 % of the side. */
const MASKABLE_SHARE = 0.5
const APPLE_SHARE = 0.6
const ICON_SHARE = 0.75

const mark = readFileSync(join(PUBLIC, 'favicon.svg'), 'utf8').replace(/^.*<\/title>|<\/svg>\s*$/gs, '')

/** @param {number} side @param {number} share part of the side that the mark takes, rounded to whole pixels per unit */
function drawIcon(side, share) {
  const scale = Math.max(1, Math.round((side * share) / UNITS))
  const offset = (side - scale * UNITS) / 2
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">
    <rect width="100%" height="100%" fill="${BACKGROUND}"/>
    <g transform="translate(${offset} ${offset}) scale(${scale})">${mark}</g></svg>`
  return sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true }).toBuffer()
}

/** @param {number} side */
const drawFavicon = (side) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${UNITS} ${UNITS}">${mark}</svg>`,
    ),
  )
    .png({ compressionLevel: 9 })
    .toBuffer()

/** Packs PNG images into an ICO file. @param {{ side: number, png: Buffer }[]} images */
function packIco(images) {
  const header = Buffer.alloc(6 + 16 * images.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(images.length, 4)
  let offset = header.length
  for (const [index, { side, png }] of images.entries()) {
    const at = 6 + 16 * index
    header.writeUInt8(side, at)
    header.writeUInt8(side, at + 1)
    header.writeUInt16LE(1, at + 4)
    header.writeUInt16LE(32, at + 6)
    header.writeUInt32LE(png.length, at + 8)
    header.writeUInt32LE(offset, at + 12)
    offset += png.length
  }
  return Buffer.concat([header, ...images.map(({ png }) => png)])
}

const favicons = await Promise.all([16, 32].map(async (side) => ({ side, png: await drawFavicon(side) })))
const files = {
  'favicon.ico': packIco(favicons),
  'apple-touch-icon.png': await drawIcon(180, APPLE_SHARE),
  'icon-192.png': await drawIcon(192, ICON_SHARE),
  'icon-512.png': await drawIcon(512, ICON_SHARE),
  'icon-maskable-192.png': await drawIcon(192, MASKABLE_SHARE),
  'icon-maskable-512.png': await drawIcon(512, MASKABLE_SHARE),
}
for (const [name, bytes] of Object.entries(files)) writeFileSync(join(PUBLIC, name), bytes)
