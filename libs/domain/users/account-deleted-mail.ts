/** The last mail of an account, without the name, which is deleted with it. */
export const accountDeletedMail = {
  subject: 'Your account was deleted',
  text: [
    'Hello,',
    '',
    'your account and everything that it had stored were deleted for good.',
    '',
    'If this was not you, please write to the operator of the service at once.',
    '',
  ].join('\n'),
};
