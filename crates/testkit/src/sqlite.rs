//! SQLite databases that take forever to read.

const LEVELS: u32 = 12;
const CHILDREN: u16 = 200;

/// Inserts pages between the table at page `root`, which has one page, and its rows: each level refers to the next one
/// 200 times, so that the table has 200¹² times its rows.
pub fn make_endless(bytes: &mut Vec<u8>, root: u32) {
    let size = usize::from(u16::from_be_bytes([bytes[16], bytes[17]]));
    let place = |page: u32| size * (page as usize - 1);
    let last = u32::try_from(bytes.len() / size).expect("a small file");
    let leaf = bytes[place(root)..][..size].to_vec();
    let interior = |child: u32| {
        let mut page = vec![0; size];
        let start = size - 5 * usize::from(CHILDREN);
        page[0] = 5;
        page[3..5].copy_from_slice(&CHILDREN.to_be_bytes());
        page[5..7].copy_from_slice(&u16::try_from(start).expect("a small page").to_be_bytes());
        page[8..12].copy_from_slice(&child.to_be_bytes());
        for cell in 0..usize::from(CHILDREN) {
            let start_of_cell = start + 5 * cell;
            page[start_of_cell..start_of_cell + 4].copy_from_slice(&child.to_be_bytes());
            page[start_of_cell + 4] = 1;
            page[12 + 2 * cell..14 + 2 * cell]
                .copy_from_slice(&u16::try_from(start_of_cell).expect("a small page").to_be_bytes());
        }
        page
    };
    bytes[place(root)..][..size].copy_from_slice(&interior(last + 1));
    for level in 1..=LEVELS {
        bytes.extend(if level == LEVELS { leaf.clone() } else { interior(last + level + 1) });
    }
    bytes[28..32].copy_from_slice(&(last + LEVELS).to_be_bytes());
}
