import Head from '../dtpchan/+Head.tsx'

/** Whichever streamer is opened, it is one page. */
export default Head
