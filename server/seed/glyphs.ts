/**
 * A 5 by 7 dot font, because the machine might have no fonts.
 * Each is five columns of two hexadecimal digits, the lowest bit on top.
 */
const COLUMNS: Record<string, string> = {
  a: '2054545478',
  b: '7f48444438',
  c: '3844444420',
  d: '384444487f',
  e: '3854545418',
  f: '087e090102',
  g: '0c5252523e',
  h: '7f08040478',
  i: '00447d4000',
  j: '2040443d00',
  k: '7f10284400',
  l: '00417f4000',
  m: '7c04180478',
  n: '7c08040478',
  o: '3844444438',
  p: '7c14141408',
  q: '081414187c',
  r: '7c08040408',
  s: '4854545420',
  t: '043f444020',
  u: '3c4040207c',
  v: '1c2040201c',
  w: '3c4030403c',
  x: '4428102844',
  y: '0c5050503c',
  z: '4464544c44',
  0: '3e5149453e',
  1: '00427f4000',
  2: '4261514946',
  3: '2141454b31',
  4: '1814127f10',
  5: '2745454539',
  6: '3c4a494930',
  7: '0171090503',
  8: '3649494936',
  9: '064949291e',
  '.': '0060600000',
  ',': '0050300000',
  ':': '0036360000',
  '-': '0808080808',
  _: '4040404040',
  '/': '2010080402',
  '~': '0804080804',
  $: '242a7f2a12',
  '%': '2313086462',
  '=': '1414141414',
  '+': '08083e0808',
  '*': '14083e0814',
  '[': '007f414100',
  ']': '0041417f00',
  '(': '001c224100',
  ')': '0041221c00',
  '<': '0814224100',
  '>': '0041221408',
  '#': '147f147f14',
  '@': '324979413e',
  '|': '00007f0000',
  '!': '00005f0000',
  '?': '0201510906',
}

/** Size of a letter's place in dots, with its spaces. */
export const CELL = { width: 6, height: 9 }

/** SVG path data of a line of lower-case text. @param dot size of a dot in px */
export function textPath(text: string, left: number, top: number, dot: number): string {
  let path = ''
  for (const [at, letter] of [...text].entries()) {
    const columns = COLUMNS[letter] ?? ''
    for (let column = 0; column < columns.length / 2; column++) {
      const bits = Number.parseInt(columns.slice(column * 2, column * 2 + 2), 16)
      for (let row = 0; row < 7; row++) {
        if ((bits >> row) & 1) {
          path += `M${left + (at * CELL.width + column) * dot} ${top + row * dot}h${dot}v${dot}h-${dot}z`
        }
      }
    }
  }
  return path
}
