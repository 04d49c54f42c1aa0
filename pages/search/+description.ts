export default 'Search the threads, comments and replies of DTPChan, an anonymous imageboard.'
