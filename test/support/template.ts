export const templateName = 'efb_template';
