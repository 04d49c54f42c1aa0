export default 'Share text and code by a link that expires: AES-256, encrypted at rest, no account.'
