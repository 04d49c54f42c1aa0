export default 'The blog of an IRC community of hackers and tinkerers. Coming soon.'
