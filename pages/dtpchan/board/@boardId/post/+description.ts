export default 'Write a post on this board, without an account.'
