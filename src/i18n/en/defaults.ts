/** Texts of sites whose operator did not set them. */
export default {
  description:
    'A tech and hacking community that lives on IRC. Talk in the channels, post on the board without an account, and listen along while you work.',
  mission1: 'Take things apart to understand them, and share what we find: the source, the schematic, the dump.',
  mission2: 'Answer the question that was asked, then the one behind it. Everyone was new once.',
  mission3: 'Keep the place open. You need no account and no real name to read, listen or post.',
  radio: 'The music of this site',
  story1:
    'We are an IRC network first and a website second. People arrive with a crash they can’t explain or a board that won’t boot, and stay for the company, the radio, and whoever tells them why it broke.',
  story2:
    'Everything else grew around those channels: a stream to listen to together, boards for whatever needs more than a line of chat, and small tools for the things we share every day.',
  tagline: 'We take things apart and keep the radio on.',
} as const
