export default 'Posts that wait for a review, for moderators.'
