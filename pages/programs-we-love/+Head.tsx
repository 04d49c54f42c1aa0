import Head from '../dtpchan/+Head.tsx'

/** However it is filtered, it is one page. */
export default Head
