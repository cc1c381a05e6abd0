-- Files of a print are named by the code alone, so that there can be others: checklists on paper.
ALTER TABLE print_file DROP CONSTRAINT print_file_name_check;
