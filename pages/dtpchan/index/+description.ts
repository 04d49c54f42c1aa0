export default 'The boards of DTPChan, an anonymous imageboard: read and post without an account.'
