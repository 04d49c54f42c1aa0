import sharp from 'sharp'

const SIDE = 640

/** Draws the demo track's cover: rings around a transmitter, and its signal. */
export async function drawCover(): Promise<Buffer> {
  const rings = Array.from({ length: 11 }, (_, ring) => {
    const radius = 34 + ring * 27
    const [colour, width] = ring % 3 === 0 ? ['#a279fd', 5] : ['#6739ca', 2.5]
    const opacity = (1 - ring / 13).toFixed(2)
    const dash = ring % 3 === 1 ? ` stroke-dasharray="${(radius * 0.16).toFixed(1)} ${(radius * 0.05).toFixed(1)}"` : ''
    return `<circle cx="320" cy="320" r="${radius}" fill="none" stroke="${colour}" stroke-width="${width}" opacity="${opacity}"${dash}/>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}">
    <defs>
      <radialGradient id="night"><stop offset="0" stop-color="#4b2a96"/><stop offset=".45" stop-color="#1b1530"/><stop offset="1" stop-color="#0d0d12"/></radialGradient>
      <linearGradient id="glow" x1="0" x2="1"><stop offset="0" stop-color="#8b58fc" stop-opacity="0"/><stop offset=".5" stop-color="#d5c5ff"/><stop offset="1" stop-color="#8b58fc" stop-opacity="0"/></linearGradient>
    </defs>
    <rect width="${SIDE}" height="${SIDE}" fill="#0d0d12"/>
    <rect width="${SIDE}" height="${SIDE}" fill="url(#night)"/>
    ${rings.join('\n')}
    <path d="${signal()}" fill="none" stroke="url(#glow)" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"/>
    <circle cx="320" cy="320" r="13" fill="#eeeef6"/>
  </svg>`
  return sharp(Buffer.from(svg)).jpeg({ quality: 82, mozjpeg: true }).toBuffer()
}

/** A wave with no height in the middle and at both edges. */
function signal(): string {
  const points = Array.from({ length: 161 }, (_, step) => {
    const x = step * 4
    const away = (x - 320) / 320
    const height = 92 * Math.sin(Math.PI * Math.abs(away)) ** 2 * Math.sin(away * 34)
    return `${x},${(320 + height).toFixed(1)}`
  })
  return `M${points.join(' L')}`
}
